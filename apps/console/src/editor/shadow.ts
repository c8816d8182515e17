/** A root whose styles are objects, not elements: the editor's own styles then need no exception in our policy. */
export function shadowIn(host: HTMLElement): { root: ShadowRoot; place: HTMLElement } {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  root.replaceChildren();
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(':host { display: block } .place { height: 100% }');
  root.adoptedStyleSheets = [sheet];
  const place = document.createElement('div');
  place.className = 'place';
  root.append(place);
  return { root, place };
}
