/** Packages that nothing imports, with the package or file that needs them. */
export const unimported: Record<
  string,
  | {
      peerOf: string;
    }
  | { namedIn: string }
  | { because: string }
> = {
  rxjs: { peerOf: '@nestjs/core' },
  'pdfjs-dist': { namedIn: 'apps/local/run/build.mjs' },
  protobufjs: { because: 'one copy at the top for all of @temporalio, see below' },
  '@redocly/cli': { namedIn: 'apps/dev/checks/openapi.ts' },
  '@nestjs/cli': { namedIn: 'apps/local/run/build.mjs' },
  '@sparticuz/chromium': { namedIn: 'apps/api/test/support/browser.ts' },
  'class-transformer': { namedIn: 'apps/bench/knowledge/questions.txt' },
  'highlight.js': { namedIn: 'apps/api/src/docs/highlight.ts' },
  'svelte-check': { namedIn: 'apps/local/run/check.mjs' },
  '@swc/cli': { peerOf: '@nestjs/cli' },
  '@swc/core': { peerOf: '@swc/cli' },
  '@swc/jest': { namedIn: 'package.json' },
  '@types/jest': { namedIn: 'tsconfig.json' },
  '@types/markdown-it': { because: 'the types of markdown-it' },
  '@types/node': { namedIn: 'tsconfig.json' },
  '@types/oidc-provider': { because: 'the types of oidc-provider' },
  '@types/nodemailer': { because: 'the types of nodemailer' },
  '@types/pg': { because: 'the types of pg' },
  '@types/smtp-server': { because: 'the types of smtp-server' },
  '@types/sql.js': { because: 'the types of sql.js' },
  '@types/yauzl': { because: 'the types of yauzl' },
  jest: { namedIn: 'apps/local/run/test.mjs' },
  oxfmt: { namedIn: 'apps/local/run/check.mjs' },
  oxlint: { namedIn: 'apps/local/run/check.mjs' },
  'oxlint-tsgolint': { peerOf: 'oxlint' },
};
