/** The colours of every page, light and dark. */
export const palette = `:root { color-scheme: light dark; --back: #f4f5f7; --card: #fff; --text: #1b1f24; --soft: #59636e; --line: #7d8590; --fill: #f0f2f5;
  --bad: #b3001e; --bad-fill: #fdf0f1; --good: #116329; --act: #0a58ca; --on: #fff }
@media (prefers-color-scheme: dark) { :root { --back: #101418; --card: #191e24; --text: #e8ebee; --soft: #a6b0ba; --line: #76808b;
  --fill: #232a32; --bad: #ff9a96; --bad-fill: #3a1d20; --good: #7ee29a; --act: #8ab8ff; --on: #0b1a30 } }`;

/** The style of every page, light and dark. Each page contains it, so that a page is one request. */
export const style = `
${palette}
* { box-sizing: border-box }
body { margin: 0; background: var(--back); color: var(--text); font: 1rem/1.5 system-ui, sans-serif }
main, footer { max-width: 46rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere }
main { margin-top: 1rem; background: var(--card); border-radius: .5rem }
@media (min-width: 40rem) { main { margin-top: 2.5rem; padding: 2rem 2.5rem } }
footer, .hint, .due, .host { color: var(--soft); font-size: .9rem }
.host { unicode-bidi: isolate }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .75rem }
h1.long { font-size: 1.1rem }
h2 { font-size: 1.1rem; margin: 2rem 0 .75rem }
a { color: var(--act) }
a:focus-visible, button:focus-visible, input:focus-visible, select:focus-visible, textarea:focus-visible,
.wide:focus-visible, [tabindex="-1"]:focus { outline: 3px solid var(--act); outline-offset: 2px }
.text { white-space: pre-wrap }
.prose > :first-child, li > p { margin-top: 0 } .prose > :last-child, li > p { margin-bottom: 0 }
.prose + form { margin-top: 1.5rem }
.prose h2 { font-size: 1rem; margin: 1rem 0 .5rem }
ul, ol { padding-inline-start: 1.5rem }
code, pre, .code { font-family: ui-monospace, monospace; font-size: .9em }
code { background: var(--fill); padding: .1em .3em; border-radius: .2em } pre code { padding: 0; background: none }
pre { margin: 0; padding: .6rem .75rem; background: var(--fill); border-radius: .25rem }
.wide { overflow: auto; max-height: 26rem; overflow-wrap: normal }
dl, dd { margin: 0 } dt { font-weight: 600 }
.pair { margin: 0 0 .75rem }
@media (min-width: 40rem) { .pair:not(.block) { display: grid; grid-template-columns: 12rem 1fr; column-gap: 1rem } }
.block dt { margin-bottom: .25rem }
table { border-collapse: collapse; font-size: .95rem }
th, td { padding: .35rem .6rem; border: 1px solid var(--line); text-align: start; vertical-align: top; max-width: 24rem }
th { background: var(--fill) } .num { text-align: end; font-variant-numeric: tabular-nums }
.field { margin: 0 0 1.5rem; padding: 0; border: 0; min-width: 0 }
.field > label, legend { display: block; font-weight: 600; padding: 0; margin: 0 0 .25rem }
.must { color: var(--soft); font-weight: 400 }
.hint, .field > .bad { margin: 0 0 .4rem }
.field:has(> .bad) { border-inline-start: 4px solid var(--bad); padding-inline-start: .75rem }
.bad { color: var(--bad); font-weight: 600 }
.faults { margin: 0 0 1.5rem; padding: .75rem 1rem; border: 2px solid var(--bad); border-radius: .25rem; background: var(--bad-fill) }
.faults p, .faults ul { margin: 0 } .faults a { color: var(--bad) }
.state { margin: 1.25rem 0; padding: .75rem 1rem; background: var(--fill); border-radius: .25rem }
.state h2, .state ul { margin-top: 0; margin-bottom: 0 }
input:not([type=radio], [type=checkbox]), select, textarea { display: block; width: 100%; font: inherit; padding: .5rem .6rem;
  color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: .25rem }
input.short { max-width: 16rem }
::placeholder { color: var(--soft); opacity: 1 }
[aria-invalid]:not(fieldset, [type=checkbox]) { border: 2px solid var(--bad) }
.choice { display: flex; gap: .6rem; align-items: flex-start; margin: 0 0 .4rem; padding: .5rem .75rem; border: 1px solid var(--line);
  border-radius: .25rem; cursor: pointer }
.choice:has(:checked) { border-color: var(--act); box-shadow: inset 0 0 0 1px var(--act) }
.choice input { flex: none; width: 1.2rem; height: 1.2rem; margin: .15rem 0 0; accent-color: var(--act) }
@media (min-width: 40rem) { .two { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem } .two .choice { margin: 0 } }
button { font: inherit; font-weight: 600; padding: .7rem 1.75rem; border: 0; border-radius: .25rem; background: var(--act); color: var(--on);
  cursor: pointer }
button.quiet { background: none; color: var(--act); box-shadow: inset 0 0 0 1px var(--line) }
@media (max-width: 39.99rem) { button { width: 100% } }
.mark { font-size: 1.75rem; line-height: 1; margin: 0 0 .5rem; color: var(--soft) } .mark.good { color: var(--good) }
.wide.whole { max-height: none } td.num { white-space: nowrap }
.graph { display: block; font: 14px/1 system-ui, sans-serif } .graph text { fill: var(--text) } .graph .state-of { fill: var(--soft); font-size: 12px }
.graph .port { stroke: var(--card); stroke-width: 5px; stroke-linejoin: round; paint-order: stroke; font-size: 13px }
.graph .box { fill: var(--card); stroke: var(--line) } .graph .not { stroke-dasharray: 4 3 } .graph .done { stroke: var(--good); stroke-width: 2 }
.graph .failed { stroke: var(--bad); stroke-width: 3 } .graph .running, .graph .paused { stroke: var(--act); stroke-width: 3 }
.graph .way { fill: none; stroke: var(--line); stroke-dasharray: 5 4 } .graph .taken { stroke: var(--text); stroke-width: 2; stroke-dasharray: none }
.graph .head { fill: var(--line); stroke: none } .graph .head.taken { fill: var(--text) }
.bars .fold { fill: var(--fill) } .bars .tick { stroke: var(--line); stroke-width: .5 } .bars .bar { fill: var(--soft); stroke: none } .bars .bar.completed { fill: var(--good) }
.bars .bar.failed { fill: var(--bad) } .bars .bar.running, .bars .bar.paused { fill: var(--act) } .bars .bar.idle { fill-opacity: .25 }
@media (min-width: 64rem) { main:has(.graph) { max-width: 68rem } }
tr:target { background: var(--fill) }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
`;
