// One attack, in a process of its own with the lowest priority, so that it takes the time of the service and not that of its honest clients.
import { setPriority } from 'node:os'
import { attacks } from './attacks.ts'
import { ATTACKER_ADDRESS, visitorFrom } from './loopback.ts'

const [name = '', url = '', seconds = '1'] = process.argv.slice(2)
setPriority(19)
process.on('uncaughtException', () => undefined)
process.on('unhandledRejection', () => undefined)
const visitor = visitorFrom(ATTACKER_ADDRESS, url, 200)
const ending = AbortSignal.timeout(Number(seconds) * 1_000)
ending.addEventListener('abort', () => setTimeout(() => process.exit(0), 100))
process.send?.('ready')
await attacks[name]!(visitor, ending)
