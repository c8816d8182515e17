import { readXml } from '../markup.ts';

/** Calls `take` for each element of an XML text with its attributes, and with the text right inside of it. */
export function eachTag(
  xml: string,
  take: (name: string, attributes: Record<string, string>, text: string) => void,
): void {
  const open: { attributes: Record<string, string>; text: string }[] = [];
  readXml(xml, {
    onopentag: (_, attributes) => void open.push({ attributes, text: '' }),
    ontext(text) {
      const last = open.at(-1);
      if (last) last.text += text;
    },
    onclosetag(name) {
      const { attributes = {}, text = '' } = open.pop() ?? {};
      take(name, attributes, text);
    },
  });
}
