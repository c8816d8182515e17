/** Filters that somebody has given a name. They are kept in this browser, for each user and workspace. */
export interface SavedView {
  name: string;
  query: string;
}

export class SavedViews {
  list = $state.raw<SavedView[]>([]);
  readonly #place: string;

  constructor(area: string, workspaceId: string, userId: string) {
    this.#place = `holdfast.views.${area}.${workspaceId}.${userId}`;
    this.list = this.#read();
  }

  /** One name stands for one view: the later takes the place of the earlier. */
  save(view: SavedView): void {
    this.#write([...this.#read().filter(({ name }) => name !== view.name), view]);
  }

  delete(name: string): void {
    this.#write(this.#read().filter((view) => view.name !== name));
  }

  #read(): SavedView[] {
    try {
      const kept: unknown = JSON.parse(localStorage.getItem(this.#place) ?? '[]');
      return Array.isArray(kept) ? kept.filter(isSavedView) : [];
    } catch {
      return [];
    }
  }

  #write(views: SavedView[]): void {
    this.list = views.toSorted((a, b) => a.name.localeCompare(b.name));
    localStorage.setItem(this.#place, JSON.stringify(this.list));
  }
}

function isSavedView(value: unknown): value is SavedView {
  const { name, query } = Object(value) as Partial<SavedView>;
  return typeof name === 'string' && typeof query === 'string';
}
