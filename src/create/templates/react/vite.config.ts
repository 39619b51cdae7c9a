import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: 'src/page',
  plugins: [react()],
  build: { outDir: '../../dist/page', emptyOutDir: true },
  // The page and the API have one origin, as in production.
  server: { proxy: { '/api': 'http://localhost:3000' } },
})
