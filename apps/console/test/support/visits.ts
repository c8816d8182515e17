import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Stack } from '../../../api/test/support/stack.ts';
import { ConsoleServer } from './console-server.ts';

export const sizes = { phone: { width: 390, height: 844 }, desk: { width: 1280, height: 900 } };

interface Look {
  size?: keyof typeof sizes;
  colorScheme?: 'light' | 'dark';
}

/** A page of the console, and what went wrong in it. */
export interface Visit {
  page: Page;
  /** Errors of scripts, and what the policy has refused. */
  faults: string[];
}

/** The console in front of a stack, as one signed-in person sees it. */
export class Visitors {
  readonly #contexts: BrowserContext[] = [];

  private constructor(
    private readonly browser: Browser,
    private readonly server: ConsoleServer,
  ) {}

  /** Signs a person in. Until sessions exist, a key beside the browser does: this is the one place to change. */
  static async signIn(stack: Stack, browser: Browser, key = stack.personalKey): Promise<Visitors> {
    return new Visitors(browser, await ConsoleServer.start(() => stack.url, key));
  }

  async open(path: string, { size = 'desk', colorScheme = 'light' }: Look = {}): Promise<Visit> {
    const context = await this.browser.newContext({ viewport: sizes[size], colorScheme });
    this.#contexts.push(context);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) faults.push(message.text());
    });
    page.on('dialog', (dialog) => {
      faults.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.goto(`${this.server.url}/console${path}`);
    return { page, faults };
  }

  async leave(): Promise<void> {
    await Promise.all(this.#contexts.splice(0).map((context) => context.close()));
  }

  async stop(): Promise<void> {
    await this.leave();
    await this.server.stop();
  }
}
