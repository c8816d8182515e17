import { headers } from '../atoms.ts';
import { blockOf, effectKeys, url } from './block-frame.ts';
import * as shape from '../shape.ts';
import { isTemplate, ruled } from '../shape.ts';

/** A credential. Written out it would stand in every copy and version of the definition, for all who may read them. */
export const credential = ruled<string>(shape.text({ min: 1, max: 1024 }), (value, path, report) => {
  if (!isTemplate(value) || !/\bsecrets\./.test(value))
    report(path, 'secret_in_clear', 'Keep it as a secret of the workspace and write {{ secrets.NAME }}.');
});

const eventName = shape.text({
  min: 1,
  max: 128,
  pattern: /^[A-Za-z0-9_]+(\.[A-Za-z0-9_]+)*$/,
  says: 'an event name as order.paid',
});

/** One signed delivery. */
export const webhook = blockOf(
  'webhook',
  {
    params: shape.object({ url, event: eventName, secret: credential }, { data: shape.json, headers }),
  },
  effectKeys,
);

/** One call of a tool. */
export const mcp = blockOf(
  'mcp',
  {
    params: shape.object(
      { url, tool: shape.text({ min: 1, max: 256 }) },
      {
        arguments: shape.templated(
          'an object of arguments',
          shape.record(shape.text({ min: 1, max: 256 }), shape.json, { max: 200 }),
        ),
        headers,
        idempotent: shape.boolean,
      },
    ),
  },
  effectKeys,
);
