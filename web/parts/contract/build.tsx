// How a contract was built and created.

import type { AnswerData, ContractFacts } from '../../../src/contract/pages.ts'
import { Fact, Facts, Nothing } from '../page/page-head.tsx'
import type { PageShell } from '../page/page-shell.ts'
import { grouped } from '../text/numbers.ts'
import { Address, Hash, Transaction } from '../values/references.tsx'
import { Time } from '../values/time.tsx'

export function BuildFacts({ facts }: { facts: ContractFacts }) {
  return (
    <>
      <Facts>
        <Fact name="Contract">
          <span class="hex">
            {facts.mainFile}:{facts.name}
          </span>
        </Fact>
        <Fact name="Compiler">
          {facts.language === 'vyper' ? 'Vyper' : 'Solidity'} {facts.compiler}
        </Fact>
        <Fact name="Optimizer">
          {facts.optimizer.enabled ? `On, ${grouped(String(facts.optimizer.runs))} runs` : 'Off'}
        </Fact>
        <Fact name="EVM version">{facts.evmVersion || 'Compiler default'}</Fact>
        {facts.licenseType !== '' && <Fact name="Licence">{facts.licenseType}</Fact>}
        <Fact name="Match" help="How runtime code and creation code compare with the compiled source">
          Runtime code: {facts.runtime}. Creation code: {facts.creation ?? 'not compared'}.
        </Fact>
        {facts.metadata !== '' && (
          <Fact name="Metadata">
            <span class="hex">{facts.metadata}</span>
          </Fact>
        )}
        {facts.libraries.length > 0 && (
          <Fact name="Libraries">
            {facts.libraries.map(({ name, address }) => (
              <div key={name}>
                {name} <Address address={address} isContract />
              </div>
            ))}
          </Fact>
        )}
        <Fact name="Constructor arguments">
          <ConstructorArguments facts={facts} />
        </Fact>
        {facts.notes.map((note) => (
          <Fact key={note} name="Note">
            {note}
          </Fact>
        ))}
      </Facts>
      <details class="panel">
        <summary>Compiler settings as JSON</summary>
        <pre class="json">{JSON.stringify(facts.settings, null, 2)}</pre>
      </details>
    </>
  )
}

function ConstructorArguments({ facts }: { facts: ContractFacts }) {
  if (facts.constructorArguments === null) return <span class="soft">Not known</span>
  if (facts.constructorArguments === '0x') return <>None</>
  return (
    <>
      <dl class="arguments">
        {facts.decodedArguments.map(({ name, type, value }, i) => (
          <div key={name || i}>
            <dt>
              {name} <span class="unit">{type}</span>
            </dt>
            <dd>{type === 'address' ? <Address address={value.toLowerCase()} /> : <span class="hex">{value}</span>}</dd>
          </div>
        ))}
      </dl>
      <details>
        <summary>Encoded</summary>
        <Hash hash={facts.constructorArguments} what="constructor arguments" />
      </details>
    </>
  )
}

type Creation = AnswerData<'contractCreationInfo'>[number] | undefined

export function CreationFacts({ creation, shell }: { creation: Creation; shell: PageShell }) {
  return creation ? (
    <Facts>
      <Fact name="Creator">
        <Address address={creation.contractCreator} full />
      </Fact>
      {creation.contractFactory !== '' && (
        <Fact name="Factory">
          <Address address={creation.contractFactory} isContract full />
        </Fact>
      )}
      <Fact name="Transaction">
        <Transaction hash={creation.txId} full />
      </Fact>
      <Fact name="Time">
        <Time ms={creation.transactionTime} shell={shell} />
      </Fact>
    </Facts>
  ) : (
    <Nothing>The contract creation is not indexed: the contract is older than the first indexed block.</Nothing>
  )
}
