/** The current time, for relative timestamps. */
class PageClock {
  now = $state(Date.now());

  constructor() {
    setInterval(() => {
      if (!document.hidden) this.now = Date.now();
    }, 5_000);
  }
}

export const clock = new PageClock();
