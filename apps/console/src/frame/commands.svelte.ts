/** Something that the palette offers beside the areas. A page adds its own while it is shown. */
export interface Command {
  label: string;
  run: () => void;
}

class Commands {
  list = $state.raw<Command[]>([]);

  /** Offers commands until the returned function is called, as an effect does. */
  offer(commands: Command[]): () => void {
    this.list = [...this.list, ...commands];
    return () => {
      this.list = this.list.filter((command) => !commands.includes(command));
    };
  }
}

export const commands = new Commands();
