/** Nothing is drawn on a server: the pages are files, and the API gives data alone. */
export const ssr = false;
export const prerender = false;
