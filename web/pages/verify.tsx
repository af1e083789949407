// The form that submits source code for verification. It is one plain form for the three formats; a script only hides the fields that
// a format does not need.

import { Layout } from '../parts/page/layout.tsx'
import { PageHead } from '../parts/page/page-head.tsx'
import type { PageProps } from '../parts/page/page-shell.ts'

/** The fields as the reader filled them in, so that nothing is lost when the form is refused. */
export type VerifyForm = {
  readonly contractAddress: string
  readonly contractName: string
  readonly codeFormat: string
  readonly compilerVersion: string
  readonly sourceCode: string
  readonly optimization: string
  readonly optimizationRuns: string
  readonly evmVersion: string
  readonly viaIr: string
  readonly licenseType: string
  readonly contractAbi: string
  /** One per line: `Name = 0x…`. */
  readonly libraries: string
}

export type VerifyData = {
  readonly form: VerifyForm
  readonly problem: string | undefined
  readonly compilers: readonly string[]
  readonly evmVersions: readonly string[]
}

const FORMATS = [
  ['solidity-single-file', 'Solidity, one flattened file'],
  ['solidity-standard-json-input', 'Solidity, standard JSON input'],
  ['vyper', 'Vyper, one file or standard JSON input'],
] as const

const LICENCES = [
  '',
  'MIT',
  'Apache-2.0',
  'GPL-2.0',
  'GPL-3.0',
  'LGPL-3.0',
  'AGPL-3.0',
  'BSD-3-Clause',
  'MPL-2.0',
  'BUSL-1.1',
  'Unlicense',
]

export function VerifyPage({ shell, data }: PageProps<VerifyData>) {
  const { form, problem, compilers, evmVersions } = data
  return (
    <Layout shell={shell} title="Verify a contract" about="Prove that source code belongs to a contract.">
      <PageHead crumbs={[['/contracts', 'Contracts']]} title="Verify a contract">
        <p class="summary">
          The server compiles the source code and compares the result with the code on chain, byte by byte. Tools such
          as Foundry and Hardhat can do the same through the <a href="/docs">API</a>.
        </p>
      </PageHead>
      <form class="panel form verify" action="/verify" method="post" data-verify-form>
        {problem && (
          <p class="failure" role="alert">
            {problem}
          </p>
        )}
        <label>
          Contract address
          <input
            name="contractAddress"
            required
            pattern="\s*0x[0-9a-fA-F]{40}\s*"
            title="0x and 40 hex digits"
            autocomplete="off"
            spellcheck={false}
            value={form.contractAddress}
          />
        </label>
        <label>
          Source format
          <select name="codeFormat">
            {FORMATS.map(([value, word]) => (
              <option key={value} value={value} selected={value === form.codeFormat}>
                {word}
              </option>
            ))}
          </select>
        </label>
        <div class="pair">
          <label>
            Contract name
            <input
              name="contractName"
              required
              maxLength={256}
              placeholder="Token, or contracts/Token.sol:Token"
              autocomplete="off"
              spellcheck={false}
              value={form.contractName}
            />
          </label>
          <label>
            Compiler version
            <input
              name="compilerVersion"
              list="compilers"
              placeholder="0.8.30, or vyper:0.4.3"
              autocomplete="off"
              spellcheck={false}
              value={form.compilerVersion}
              aria-describedby="compiler-help"
            />
          </label>
        </div>
        <datalist id="compilers">
          {compilers.map((version) => (
            <option key={version} value={version} />
          ))}
        </datalist>
        <p class="note" id="compiler-help">
          With standard JSON input this may stay empty: the version is then read from the code on chain or from the
          pragma.
        </p>
        <label>
          Source code
          <textarea name="sourceCode" required spellcheck={false}>
            {form.sourceCode}
          </textarea>
        </label>
        <label class="note" hidden data-verify-file>
          or choose a file <input type="file" />
        </label>
        <fieldset data-verify-settings>
          <legend>Compiler settings</legend>
          <div class="pair">
            <label>
              Optimizer
              <select name="optimization">
                <option value="1" selected={form.optimization !== '0'}>
                  On
                </option>
                <option value="0" selected={form.optimization === '0'}>
                  Off
                </option>
              </select>
            </label>
            <label>
              Runs
              <input name="optimizationRuns" inputMode="numeric" pattern="\d{0,10}" value={form.optimizationRuns} />
            </label>
            <label>
              EVM version
              <select name="evmVersion">
                {evmVersions.map((version) => (
                  <option key={version} value={version} selected={version === form.evmVersion}>
                    {version}
                  </option>
                ))}
              </select>
            </label>
          </div>
          <label class="tick">
            <input type="checkbox" name="viaIr" value="true" checked={form.viaIr === 'true'} />
            Compiled via IR
          </label>
        </fieldset>
        <details open={form.libraries !== '' || form.contractAbi !== '' || form.licenseType !== ''}>
          <summary>Libraries, constructor arguments, licence</summary>
          <label>
            Libraries, one per line
            <textarea name="libraries" placeholder="Name = 0x…" spellcheck={false}>
              {form.libraries}
            </textarea>
          </label>
          <label>
            Constructor arguments as hex (detected automatically if empty)
            <input name="contractAbi" spellcheck={false} autocomplete="off" value={form.contractAbi} />
          </label>
          <label>
            Licence
            <select name="licenseType">
              {LICENCES.map((licence) => (
                <option key={licence} value={licence} selected={licence === form.licenseType}>
                  {licence || 'Not specified'}
                </option>
              ))}
            </select>
          </label>
        </details>
        <button type="submit" class="primary">
          Verify
        </button>
      </form>
    </Layout>
  )
}
