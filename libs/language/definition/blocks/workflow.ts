import * as shape from '../shapes/shape.ts';
import type { BlockBase, BlockKind } from './kind.ts';

const workflowId = shape.text({
  min: 1,
  max: 64,
  pattern: /^wf_\w+$/,
  says: 'the id of a workflow, as wf_…',
});
const params = shape.object(
  { workflowId },
  { inputs: shape.record(shape.text({ min: 1, max: 128 }), shape.json, { max: 200 }) },
);

/** A block that runs another deployed workflow of the workspace, as an execution of its own. */
export interface WorkflowBlock extends BlockBase {
  type: 'workflow';
  params: shape.ValueOf<typeof params>;
}

export const workflow: BlockKind<WorkflowBlock> = {
  members: { params },
  sample: { type: 'workflow', params: { workflowId: 'wf_1', inputs: { n: '{{ start.n }}' } } },
};
