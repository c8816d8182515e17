declare module 'virtual:operations' {
  export const operations: Record<string, { verb: string; path: string; query: string[]; method?: string }>;
}
