// URLs of other explorers have anchors such as #eventlog: this opens the tab with the same content.
const TABS: Readonly<Record<string, string>> = {
  'tx#internal': 'internal',
  'tx#eventlog': 'logs',
  'tx#statechange': 'state',
  'address#internaltx': 'internal',
  'address#tokentxns': 'transfers',
  'address#code': 'contract',
  'address#readContract': 'contract&section=read',
  'address#readProxyContract': 'contract&section=read',
  'address#writeContract': 'contract&section=write',
  'address#writeProxyContract': 'contract&section=write',
  'token#balances': 'holders',
  'token#inventory': 'inventory',
}

export function followForeignAnchor(): void {
  const { pathname, search, hash } = location
  const tab = TABS[pathname.split('/')[1] + hash]
  if (tab && search === '') location.replace(`${pathname}?tab=${tab}`)
}
