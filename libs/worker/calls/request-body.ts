import { isObject, type Json, type JsonObject } from '#libs/platform/json/json';
import { invalidValue } from '../effects/effect-handler.ts';

/** The body of a call with the media type of one that says none itself: text as it is, an object as a form where the type is one, else JSON. */
export function toRequestBody(body: Json | undefined, contentType = ''): { body?: string; type?: string } {
  if (body === undefined || body === null) return {};
  if (typeof body === 'string') return { body, type: 'text/plain; charset=utf-8' };
  const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (mediaType === 'application/x-www-form-urlencoded' && typeof body === 'object')
    return { body: toForm(body) };
  if (mediaType.startsWith('multipart/'))
    throw invalidValue(`body: A ${mediaType} body must be a text with its parts.`);
  return { body: JSON.stringify(body), type: 'application/json' };
}

/** The members as a form. A list repeats its name, and null is left out. */
function toForm(members: JsonObject | Json[]): string {
  if (!isObject(members)) throw invalidValue('body: A form must be an object or a text, not a list.');
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(members))
    for (const one of [value].flat()) {
      if (one === null) continue;
      if (typeof one === 'object')
        throw invalidValue(
          `body.${name}: A field of a form is text, a number, true or false, or a list of these. Write the members of an object as fields, such as "${name}[id]".`,
        );
      form.append(name, String(one));
    }
  return form.toString();
}
