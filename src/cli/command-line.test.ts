import { expect, test } from 'vitest'
import { UsageError } from './command.ts'
import { commandLineFrom } from './command-line.ts'

const own = { name: { value: 'text', describe: '' }, json: { describe: '' } }

test('the command line is divided into words, flags of the command and settings', () => {
  expect(commandLineFrom(['create', '--name', 'ci', '--json', '--port=1', '--host', '::1', 'more'], own)).toEqual({
    words: ['create', 'more'],
    flags: { name: 'ci', json: '' },
    settings: { port: '1', host: '::1' },
  })
})

test('a setting that is true or false takes no value, or one after an equals sign', () => {
  expect(commandLineFrom(['--shared-port', 'word', '--flashblocks-enabled=false'], {})).toEqual({
    words: ['word'],
    flags: {},
    settings: { 'shared-port': '', 'flashblocks-enabled': 'false' },
  })
})

test('a value may begin with a dash or contain an equals sign, and of two values of one flag the later counts', () => {
  const { flags, settings } = commandLineFrom(
    ['--name', '-', '--name', '--x', '--rpc-url=http://h/?a=b', '--port', '1', '--port', '2'],
    own,
  )
  expect({ flags, settings }).toEqual({ flags: { name: '--x' }, settings: { 'rpc-url': 'http://h/?a=b', port: '2' } })
})

test('an option with one dash is a word, whole', () => {
  expect(commandLineFrom(['-port', '1'], {}).words).toEqual(['-port', '1'])
})

test.each([
  [['--prot', '1'], 'there is no flag --prot; did you mean --port?'],
  [['--zzzzzzzz'], 'there is no flag --zzzzzzzz'],
  [['--port'], '--port needs a value'],
])('the command line %j is refused with the closest flag', (argv, message) => {
  expect(() => commandLineFrom(argv, own)).toThrow(new UsageError(message))
})
