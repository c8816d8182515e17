/** The version of the command line, as in its package.json. */
export const version = '0.1.0';
