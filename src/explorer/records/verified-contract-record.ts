// E16: a verified contract (§2.8).
import type { VerifiedContract } from '../../verification/jobs/verified-contract.ts'
import type { ResolvedProxy } from '../../verification/proxies/resolve-proxy.ts'

export function verifiedContractRecord(contract: VerifiedContract, proxy: ResolvedProxy | undefined) {
  return {
    sourceCode: sourceText(contract),
    contractName: contract.contract.name,
    compilerVersion: compilerName(contract),
    compilerType: contract.language === 'vyper' ? 'vyper' : 'solc',
    optimization: contract.optimizer.enabled ? '1' : '0',
    optimizationRuns: contract.optimizer.enabled ? String(contract.optimizer.runs) : '',
    contractAbi: JSON.stringify(contract.abi),
    evmVersion: contract.evmVersion,
    licenseType: contract.licenseType,
    libraryInfo:
      contract.libraries.length === 0
        ? ('' as const)
        : contract.libraries.map(({ name, address }) => ({ libraryName: name, libraryAddress: address })),
    proxy: proxy ? '1' : '0',
    implementation: proxy?.implementation ?? '',
    implementations: [...(proxy?.implementations ?? [])],
    swarmSource: contract.swarmSource,
    constructorArguments: contract.constructorArguments === '0x' ? '' : (contract.constructorArguments ?? ''),
    matchType: contract.match,
    similarMatch: contract.similarTo ?? '',
    verifiedAt: String(contract.verifiedMs),
  }
}

/** The file where one was submitted, otherwise everything the compiler was given. */
export function sourceText({ submittedAs, standardInput }: VerifiedContract): string {
  const [file] = Object.values(standardInput.sources)
  return submittedAs === 'singleFile' && file ? file.content : JSON.stringify(standardInput)
}

/** `v0.8.30+commit.73712a01` or `vyper:0.4.3`. */
export function compilerName({ language, compiler }: Pick<VerifiedContract, 'language' | 'compiler'>): string {
  return language === 'vyper' ? `vyper:${compiler.replace(/\+.*/, '')}` : `v${compiler}`
}
