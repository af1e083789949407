// Runs solc on one input and drops the output.
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const compiler: { compile: (input: string) => string } = require('solc/wrapper')(require('solc/soljson.js'))

process.on('message', (input: string) => {
  process.send!(compiler.compile(input).length)
})
process.send!('ready')
