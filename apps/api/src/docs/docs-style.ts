import { palette } from '../http/page-style.ts';

/** The style of the documentation. Each page contains it, so that a page is one request plus its pictures. */
export const style = `
${palette}
* { box-sizing: border-box }
html { scroll-padding-top: 1rem }
body { margin: 0; background: var(--card); color: var(--text); font: 1rem/1.6 system-ui, sans-serif }
header { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; padding: .75rem 1rem; background: var(--back); border-bottom: 1px solid var(--line) }
header a:first-child { font-weight: 700; color: inherit; text-decoration: none }
main { padding: 1rem; max-width: 52rem; min-width: 0; overflow-wrap: anywhere }
nav.pages { padding: 1rem; background: var(--back); border-top: 1px solid var(--line); font-size: .95rem }
@media (min-width: 60rem) {
  header a[href="#pages"] { display: none }
  .sheet { display: grid; grid-template-columns: 16rem minmax(0, 1fr); max-width: 76rem; margin: 0 auto }
  nav.pages { grid-column: 1; grid-row: 1; background: none; border-top: 0; border-inline-end: 1px solid var(--line) }
  main { grid-column: 2; grid-row: 1; padding: 1rem 2.5rem 4rem }
}
nav.pages h2 { font-size: .85rem; margin: 1rem 0 .25rem; color: var(--soft); text-transform: uppercase; letter-spacing: .04em }
nav ul { list-style: none; margin: 0; padding: 0 } nav.pages li { margin: 0 }
nav.pages a { display: block; padding: .2rem .5rem; border-radius: .25rem; color: inherit; text-decoration: none }
nav.pages a:hover { text-decoration: underline }
nav.pages a[aria-current] { background: var(--fill); font-weight: 600 }
nav.pages .inner { padding-inline-start: 1rem }
p.console { margin: -.25rem 0 1rem; font-size: .95rem }
nav.here { margin: 1rem 0; padding: .5rem 1rem; background: var(--fill); border-radius: .25rem; font-size: .95rem }
nav.here ul { display: flex; flex-wrap: wrap; gap: .1rem 1.25rem }
nav.next { display: flex; justify-content: space-between; gap: 1rem; margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line) }
h1 { font-size: 1.8rem; line-height: 1.2; margin: .5rem 0 1rem }
h2 { font-size: 1.3rem; line-height: 1.3; margin: 2.25rem 0 .5rem } h3 { font-size: 1.05rem; margin: 1.5rem 0 .5rem }
.anchor { color: var(--soft); text-decoration: none; font-weight: 400; opacity: 0 }
h2:hover .anchor, h3:hover .anchor, .anchor:focus { opacity: 1 }
a { color: var(--act) }
a:focus-visible, [tabindex]:focus-visible { outline: 3px solid var(--act); outline-offset: 2px }
code, pre { font-family: ui-monospace, monospace; font-size: .9em }
code { background: var(--fill); padding: .1em .3em; border-radius: .2em } pre code { padding: 0; background: none }
.wide { overflow: auto; margin: 1rem 0; overflow-wrap: normal }
pre.wide { padding: .75rem 1rem; background: var(--fill); border-radius: .25rem; line-height: 1.45 }
pre.output { margin-top: -1rem; border: 1px solid var(--fill); border-top: 0; border-radius: 0 0 .25rem .25rem; background: none }
figure { margin: 1rem 0 } figure .wide { margin: 0 } figcaption { color: var(--soft); font-size: .9rem; margin-top: .25rem }
img { display: block; max-width: 100%; height: auto; margin: 1rem 0 }
span.wide { display: block } span.wide img { margin: 0 } @media (max-width: 60rem) { span.wide img { max-width: none } }
table { border-collapse: collapse; font-size: .95rem }
th, td { padding: .35rem .6rem; border: 1px solid var(--line); text-align: start; vertical-align: top }
th { background: var(--fill) }
ul, ol { padding-inline-start: 1.5rem } li { margin: .25rem 0 }
form[role=search] { position: relative; margin-inline-start: auto }
form[role=search] input { font: inherit; padding: .15rem .5rem; width: 12rem; max-width: 60vw; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: .25rem }
.found { position: absolute; inset-inline-end: 0; z-index: 1; width: min(30rem, 90vw); background: var(--card) }
.found:has(li, p:not(:empty)) { border: 1px solid var(--line); border-radius: .25rem; margin-top: .25rem }
.found p { margin: 0; padding: .25rem .75rem; color: var(--soft); font-size: .9rem } .found p:empty { display: none }
.found ul { list-style: none; margin: 0; padding: 0 } .found li { margin: 0 } .found a { display: block; padding: .35rem .75rem; color: inherit; text-decoration: none }
.found a:hover, .found a:focus { background: var(--fill) }
@media (max-width: 40rem) { form[role=search] { margin: 0; width: 100% } form[role=search] input { width: 100% } .found { inset-inline: 0 } }
.code { position: relative }
.copy { position: absolute; top: .4rem; inset-inline-end: .4rem; font: inherit; font-size: .8rem; padding: .1rem .5rem; color: var(--text); background: var(--card); border: 1px solid var(--line); border-radius: .25rem; opacity: .85; cursor: pointer }
.copy:hover, .copy:focus-visible { opacity: 1 }
:root { --code-key: #0550ae; --code-value: #0a5c2b; --code-word: #8a2c6f; --code-note: #57606a }
@media (prefers-color-scheme: dark) { :root { --code-key: #8ab8ff; --code-value: #8fd19e; --code-word: #f0a8d0; --code-note: #a6b0ba } }
.hljs-attr, .hljs-property, .hljs-title, .hljs-variable, .hljs-attribute { color: var(--code-key) }
.hljs-string, .hljs-number, .hljs-literal, .hljs-regexp { color: var(--code-value) }
.hljs-keyword, .hljs-built_in, .hljs-type { color: var(--code-word) }
.hljs-comment { color: var(--code-note) }
@media print { header, nav { display: none } }
`;
