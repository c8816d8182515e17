import { cutText } from '#libs/platform/text/whole-text';
import type { Heading } from '../parsing/parsed-document.ts';
import { isBlank, trimmed, type TextSpan } from './spans.ts';

export interface Section extends TextSpan {
  headingPath: string[];
}

const titleLengthMax = 200;

/**
 * The sections of a text: each from a heading, with the heading, to the next heading. A section of fewer than `minSize` characters joins
 * the section after it. A last section of this size joins the section before it.
 */
export function splitSections(text: string, headings: Heading[], minSize: number): Section[] {
  const sections: Section[] = [];
  let small: Section | null = null;
  for (const next of everySection(text, headings)) {
    const section: Section = small ? joined(small, next) : next;
    small = isSmall(text, section, minSize) ? section : null;
    if (!small) sections.push(section);
  }
  const last = sections.at(-1);
  if (small && last) sections[sections.length - 1] = { ...last, end: small.end };
  else if (small) sections.push(small);
  return sections;
}

function everySection(text: string, headings: Heading[]): Section[] {
  const sections: Section[] = [];
  const open: { level: number; title: string }[] = [];
  const add = (start: number, end: number) => {
    const headingPath = open.map(({ title }) => title);
    if (!isBlank(text, { start, end })) sections.push({ start, end, headingPath });
  };
  let start = 0;
  for (const { at, level, title } of headings) {
    add(start, at);
    while (open.length > 0 && (open.at(-1)?.level ?? 0) >= level) open.pop();
    open.push({ level, title: cutText(title, titleLengthMax) });
    start = at;
  }
  add(start, text.length);
  return sections;
}

function isSmall(text: string, section: Section, minSize: number): boolean {
  const { start, end } = trimmed(text, section);
  return end - start < minSize;
}

/** Joins two sections. When the second is below the title of the first, its path counts. Otherwise only their common titles count. */
function joined(one: Section, other: Section): Section {
  const [a, b] = [one.headingPath, other.headingPath];
  let shared = 0;
  while (shared < a.length && a[shared] === b[shared]) shared++;
  return { start: one.start, end: other.end, headingPath: shared === a.length ? b : a.slice(0, shared) };
}
