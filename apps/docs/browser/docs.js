// The one script of the documentation: a search box, and a button that copies a block of code. Without it the pages are whole.
import MiniSearch from './minisearch.js';

/** The fields of a section in the index, as the server builds it. */
const fields = ['page', 'section', 'text'];
const shownMax = 12;

function addCopyButtons() {
  for (const box of document.querySelectorAll('pre.wide:not(.output)')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    const copy = async () => {
      await navigator.clipboard.writeText(box.textContent ?? '');
      button.textContent = 'Copied';
      setTimeout(() => (button.textContent = 'Copy'), 2000);
    };
    button.addEventListener('click', () => void copy());
    const frame = document.createElement('div');
    frame.className = 'code';
    box.replaceWith(frame);
    frame.append(box, button);
  }
}

/** The index comes when somebody wants to search, once. */
let index;
function loadIndex() {
  index ??= fetch('/docs/search-index.json')
    .then((answer) => answer.text())
    .then((text) => MiniSearch.loadJSON(text, { fields, storeFields: ['page', 'section'] }));
  return index;
}

function resultOf({ id, page, section }) {
  const link = document.createElement('a');
  link.href = id;
  const where = document.createElement('strong');
  where.textContent = page;
  link.append(where);
  if (section) link.append(` · ${section}`);
  const item = document.createElement('li');
  item.append(link);
  return item;
}

function addSearch() {
  const form = document.querySelector('form[role=search]');
  if (!form) return;
  const box = form.querySelector('input');
  const list = form.querySelector('ul');
  const count = form.querySelector('[role=status]');
  form.hidden = false;
  const close = () => {
    list.replaceChildren();
    count.textContent = '';
  };
  const show = async () => {
    const words = box.value.trim();
    const found = (await loadIndex()).search(words, {
      prefix: true,
      fuzzy: 0.2,
      boost: { page: 3, section: 2 },
    });
    if (words !== box.value.trim()) return;
    list.replaceChildren(...found.slice(0, shownMax).map(resultOf));
    count.textContent =
      words === '' ? '' : found.length === 0 ? 'Nothing found' : `${found.length} sections found`;
  };
  box.addEventListener('focus', () => void loadIndex(), { once: true });
  box.addEventListener('input', () => void show());
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    list.querySelector('a')?.click();
  });
  form.addEventListener('keydown', (event) => {
    const links = [...list.querySelectorAll('a')];
    const at = links.indexOf(document.activeElement);
    if (event.key === 'Escape') {
      close();
      box.focus();
    } else if (event.key === 'ArrowDown') links[Math.min(at + 1, links.length - 1)]?.focus();
    else if (event.key === 'ArrowUp') (links[at - 1] ?? box).focus();
    else return;
    event.preventDefault();
  });
  document.addEventListener('click', (event) => {
    if (!form.contains(event.target)) close();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '')) return;
    event.preventDefault();
    box.focus();
  });
}

addCopyButtons();
addSearch();
