const place = 'holdfast.workspace';

/** The workspace that this browser showed last. */
export const lastWorkspace = (): string | null => localStorage.getItem(place);

export function rememberWorkspace(id: string): void {
  localStorage.setItem(place, id);
}
