export type ThemeName = 'system' | 'light' | 'dark';
const place = 'holdfast.theme';

/** The colours that the reader has chosen in this browser; those of the system until then. */
class Theme {
  name = $state<ThemeName>(read());

  constructor() {
    this.#apply();
  }

  choose(name: ThemeName): void {
    this.name = name;
    localStorage.setItem(place, name);
    this.#apply();
  }

  #apply(): void {
    if (this.name === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = this.name;
  }
}

function read(): ThemeName {
  const kept = localStorage.getItem(place);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

export const theme = new Theme();
