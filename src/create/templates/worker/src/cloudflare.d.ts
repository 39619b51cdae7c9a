declare module 'cloudflare:workers' {
  export const env: import('./bindings.ts').Bindings
}
