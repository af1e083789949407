import { defineConfig } from 'vite'

// Only the browser's part is built; the server runs its TypeScript as it is.
export default defineConfig({
  build: {
    outDir: 'web/dist',
    emptyOutDir: true,
    target: 'es2023',
    rolldownOptions: {
      input: { 'try-it': 'web/islands/try-it.ts', docs: 'web/styles/docs.css' },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name].js', assetFileNames: '[name][extname]' },
    },
  },
})
