import { defineConfig } from 'vite'

// Only what is under web/ is built: the browser's part with names that change with the content, and the pages as one module
// for the server. The rest of the server runs its TypeScript as it is.
export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  builder: {},
  environments: {
    client: {
      build: {
        outDir: 'web/dist/client',
        emptyOutDir: true,
        target: 'es2023',
        // Those that know light-dark().
        cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
        manifest: 'manifest.json',
        modulePreload: false,
        rolldownOptions: {
          input: {
            site: 'web/islands/site.ts',
            'try-it': 'web/islands/try-it.ts',
            styles: 'web/styles/site.css',
            docs: 'web/styles/docs.css',
          },
          output: {
            entryFileNames: '[name]-[hash].js',
            chunkFileNames: '[name]-[hash].js',
            assetFileNames: '[name]-[hash][extname]',
          },
        },
      },
    },
    ssr: {
      define: { 'process.env.NODE_ENV': '"production"' },
      resolve: { noExternal: true },
      build: {
        outDir: 'web/dist/server',
        emptyOutDir: true,
        target: 'node24',
        ssr: true,
        rolldownOptions: { input: { pages: 'web/render.tsx' }, output: { entryFileNames: '[name].js' } },
      },
    },
  },
})
