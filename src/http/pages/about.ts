import { readFileSync } from 'node:fs'
import type { AboutData } from '../../../web/pages/about.tsx'
import type { PageLoader, Visit } from './visit.ts'

export const aboutPage: PageLoader = async ({ answers, node }) => {
  const [{ heads }, ranges, chainId] = await Promise.all([answers.heads(), answers.storedRanges(), chainIdOf(node)])
  const status = node?.status()
  return {
    page: 'about',
    data: {
      chainId,
      heads,
      ranges,
      feed: status?.feed ? (status.isStale ? 'silent' : 'followed') : 'none',
      packages: packages(),
    },
  }
}

async function chainIdOf(node: Visit['node']): Promise<string> {
  const [answer] = node ? await node.ask([['eth_chainId']]) : []
  return answer?.type === 'result' ? String(Number(answer.result)) : ''
}

/** The dependencies with their licences. */
function packages(): AboutData['packages'] {
  known ??= Object.keys(manifestAt('package.json').dependencies ?? {}).map((name) => {
    const { version = '', license = '' } = manifestAt(`node_modules/${name}/package.json`)
    return { name, version, license }
  })
  return known
}

let known: AboutData['packages'] | undefined

type Manifest = { version?: string; license?: string; dependencies?: Record<string, string> }

function manifestAt(path: string): Manifest {
  try {
    return JSON.parse(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')) as Manifest
  } catch {
    // The package is installed elsewhere: it is listed without version.
    return {}
  }
}
