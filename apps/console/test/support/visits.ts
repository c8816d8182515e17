import type { Browser, BrowserContext, Page } from 'playwright-core';
import { sizes } from '../../../api/test/support/browser.ts';
import { type BrowserUser, givenOwner, givenSignedIn } from '../../../api/test/support/sessions.ts';
import type { Stack } from '../../../api/test/support/stack.ts';

export interface Look {
  size?: keyof typeof sizes;
  colorScheme?: 'light' | 'dark';
}

/** The looks in which each page is examined. */
export const looks = [
  ['at a desk', { size: 'desk' }],
  ['in the dark', { size: 'desk', colorScheme: 'dark' }],
  ['on a phone', { size: 'phone' }],
] as const;

/** The dark desk differs from the light one only by its colours. */
export const rulesOf = ({ colorScheme }: Look) => (colorScheme === 'dark' ? 'colours' : 'all');

/** A page of the console, and its errors. */
export interface Visit {
  page: Page;
  /** Errors of scripts, and what the policy has refused. */
  faults: string[];
}

export type Who = 'owner' | 'editor' | 'viewer';

/** The console of a stack, as one person sees it. */
export class Visitors {
  readonly #contexts: BrowserContext[] = [];

  private constructor(
    private readonly stack: Stack,
    private readonly browser: Browser,
    /** Nobody before a sign-in. */
    readonly person: BrowserUser | undefined,
  ) {}

  /** Somebody who has signed in: the owner by a link, others by their invitation. The stack is a public one. */
  static async signIn(stack: Stack, browser: Browser, who: Who = 'owner'): Promise<Visitors> {
    const person = who === 'owner' ? await givenOwner(stack) : await givenSignedIn(stack, who);
    return new Visitors(stack, browser, person);
  }

  /** People who have not signed in. */
  static strangers(stack: Stack, browser: Browser): Visitors {
    return new Visitors(stack, browser, undefined);
  }

  /** A separate browser with a signed-in person. */
  async open(path: string, { size = 'desk', colorScheme = 'light' }: Look = {}): Promise<Visit> {
    const context = await this.browser.newContext({ viewport: sizes[size], colorScheme, locale: 'en-US' });
    this.#contexts.push(context);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    if (this.person) await letIn(context, this.stack, this.person);
    return this.openTab(context, path);
  }

  /** One more tab of a browser. */
  async openTab(context: BrowserContext, path: string): Promise<Visit> {
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
    await page.goto(`${this.stack.url}/console${path}`);
    return { page, faults };
  }

  async leave(): Promise<void> {
    await Promise.all(this.#contexts.splice(0).map((context) => context.close()));
  }
}

/** Puts the session of a person into a browser, as a sign-in would. */
export async function letIn(context: BrowserContext, stack: Stack, { headers }: BrowserUser): Promise<void> {
  const [name = '', value = ''] = (headers['cookie'] ?? '').split('=');
  await context.addCookies([{ name, value, url: stack.url, httpOnly: true, sameSite: 'Lax' }]);
}
