// `npm run docs` writes the documents that are generated from the code. A test fails when they are not up to date.
import { writeFileSync } from 'node:fs'
import { generatedDocuments } from './generated-documents.ts'

for (const { file, text } of generatedDocuments()) {
  writeFileSync(file, text)
  console.log(`wrote ${file.pathname.split('/').slice(-2).join('/')}`)
}
