import { untrack } from 'svelte';

/** Something that the palette offers beside the areas. A page adds its own while it is shown. */
export interface Command {
  label: string;
  run: () => void;
}

class Commands {
  list = $state.raw<Command[]>([]);

  /** Offers commands until the returned function is called, as an effect does. */
  offer(commands: Command[]): () => void {
    // The effect that adds commands must not run again because of the added commands.
    this.list = [...untrack(() => this.list), ...commands];
    return () => {
      this.list = this.list.filter((command) => !commands.includes(command));
    };
  }
}

export const commands = new Commands();
