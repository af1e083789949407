import type { AnswerData, ContractFacts, VerifiedListItem } from '../../../src/contract/pages.ts'

// The contract tab of an address: source code of the contract or of its implementation, ABI, build, and forms to call it. Sections are
// links, so each has a URL and needs no script.

import { Nothing } from '../page/page-head.tsx'
import type { PageShell } from '../page/page-shell.ts'
import { Table } from '../page/table.tsx'
import { Choices } from '../page/tabs.tsx'
import { Address } from '../values/references.tsx'
import { Time } from '../values/time.tsx'
import { type AbiItem, AbiList } from './abi-list.tsx'
import { BuildFacts, CreationFacts } from './build.tsx'
import { ContractCalls } from './calls.tsx'
import { MatchBadge } from './match.tsx'
import { type ContractSection, ContractSource, type SourceFile, type SourceSearch, sectionLink } from './source.tsx'
import { verifiedColumns } from './verified-list.tsx'

export type ContractContent = {
  readonly tab: 'contract'
  readonly section: ContractSection
  readonly creation: AnswerData<'contractCreationInfo'>[number] | undefined
  readonly proxy: { readonly kind: string; readonly implementations: readonly string[] } | undefined
  readonly hasCode: boolean
  /** The contract itself where it is verified, then its verified implementations. */
  readonly verified: readonly Pick<ContractFacts, 'address' | 'name'>[]
  /** The contract whose source, ABI and build are shown. */
  readonly shown: ContractFacts | undefined
  readonly file: SourceFile | undefined
  readonly found: SourceSearch | undefined
  /** Functions of the contract and of its implementations. */
  readonly functions: readonly AbiItem[]
  /** The functions were guessed from the selectors in the code. */
  readonly isGuess: boolean
  readonly errors: readonly AbiItem[]
  readonly twins: readonly VerifiedListItem[]
}

type Props = { shell: PageShell; address: string; content: ContractContent }

export function ContractTab({ shell, address, content }: Props) {
  const { shown, section, proxy, functions, twins } = content
  const link = (each: ContractSection) => sectionLink(address, each, shown?.address)
  const choices = [
    ...(shown
      ? ([
          [link('source'), 'Source'],
          [link('abi'), 'ABI'],
        ] as const)
      : []),
    [link('build'), shown ? 'Build and creation' : 'Contract creation'] as const,
    ...(functions.length > 0
      ? ([
          [link('read'), 'Read'],
          [link('write'), 'Write'],
        ] as const)
      : []),
    ...(twins.length > 0 ? [[link('similar'), 'Same code'] as const] : []),
  ]
  return (
    <div class="contract-tab">
      {proxy && <Delegation proxy={proxy} verified={content.verified} />}
      {shown ? (
        <Verdict shell={shell} shown={shown} address={address} />
      ) : (
        <Unverified address={address} hasCode={content.hasCode} />
      )}
      {content.verified.length > 1 && (
        <Choices
          label="Contract"
          choices={content.verified.map(
            (each) => [sectionLink(address, section, each.address), wordFor(each, address)] as const,
          )}
          current={sectionLink(address, section, shown?.address)}
        />
      )}
      <Choices label="Contract sections" choices={choices} current={link(section)} />
      <Section shell={shell} address={address} content={content} />
    </div>
  )
}

function Section({ shell, address, content }: Props) {
  const { section, shown, file, found } = content
  switch (section) {
    case 'source':
      return shown ? <ContractSource address={address} shown={shown} file={file} found={found} /> : null
    case 'abi':
      return shown ? <AbiList abi={shown.abi as readonly AbiItem[]} /> : null
    case 'build':
      return (
        <>
          {shown && <BuildFacts facts={shown} />}
          <CreationFacts creation={content.creation} shell={shell} />
        </>
      )
    case 'read':
    case 'write':
      return <ContractCalls symbol={shell.chain.symbol} address={address} content={content} kind={section} />
    case 'similar':
      return (
        <Table
          caption="Verified contracts with the same code"
          columns={verifiedColumns(shell)}
          rows={content.twins}
          keyOf={(row) => row.address}
          empty="No other verified contract has the same code."
        />
      )
  }
}

function wordFor({ address, name }: { address: string; name: string }, self: string): string {
  return address === self ? `${name} (this contract)` : `${name} (implementation)`
}

function Verdict({ shell, shown, address }: { shell: PageShell; shown: ContractFacts; address: string }) {
  return (
    <p class="attested">
      <strong>{shown.name}</strong> <MatchBadge match={shown.match} />{' '}
      {shown.similarTo !== '' && (
        <span>
          by the source code of <Address address={shown.similarTo} isContract />
        </span>
      )}{' '}
      <span class="soft">
        verified <Time ms={shown.verifiedMs} shell={shell} />
      </span>
      {shown.match !== 'exact' && shown.address === address && (
        <>
          {' '}
          <a href={`/verify?address=${address}`}>Verify with an exact match</a>
        </>
      )}
      {shown.isBlueprint && (
        <span class="note">
          This is a blueprint: other contracts are created from it, and it cannot be called (EIP-5202).
        </span>
      )}
    </p>
  )
}

function Unverified({ address, hasCode }: { address: string; hasCode: boolean }) {
  if (!hasCode) {
    return (
      <Nothing>
        There is no code at this address: the node itself executes this contract, or it was destroyed. No source code
        can be verified.
      </Nothing>
    )
  }
  return (
    <Nothing>
      The source code of this contract is not verified. <a href={`/verify?address=${address}`}>Verify</a>
    </Nothing>
  )
}

const PROXIES: Readonly<Record<string, string>> = {
  eip7702: 'An account with delegated code (EIP-7702)',
  minimal: 'A minimal proxy (EIP-1167)',
  immutable: 'A proxy with its implementation in the code',
  eip1967: 'A proxy (EIP-1967)',
  eip1822: 'A proxy (EIP-1822)',
  zeppelinos: 'A proxy (older OpenZeppelin)',
  safe: 'A Safe proxy',
  beacon: 'A beacon proxy (EIP-1967)',
  diamond: 'A diamond (EIP-2535)',
}

function Delegation({
  proxy,
  verified,
}: Pick<ContractContent, 'verified'> & { proxy: NonNullable<ContractContent['proxy']> }) {
  return (
    <div class="panel delegation">
      <p>{PROXIES[proxy.kind] ?? 'A proxy'}. It delegates to:</p>
      <ul>
        {proxy.implementations.slice(0, MOST_SHOWN).map((address) => (
          <li key={address}>
            <Address address={address} isContract />{' '}
            {verified.find((each) => each.address === address)?.name ?? <span class="soft">not verified</span>}
          </li>
        ))}
      </ul>
    </div>
  )
}

const MOST_SHOWN = 20
