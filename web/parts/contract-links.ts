// The sections of a contract's tab, each with an address of its own.
export type ContractSection = 'source' | 'abi' | 'build' | 'read' | 'write' | 'similar'

/** `of`: the contract behind a proxy whose source is meant. */
export function sectionLink(address: string, section: ContractSection, of?: string): string {
  const whose = of === undefined || of === address ? '' : `&of=${of}`
  return `/address/${address}?tab=contract${section === 'source' ? '' : `&section=${section}`}${whose}`
}
