const GROUPS = 8
const NETWORK_GROUPS = 4
const IPV4 = /\d{1,3}(?:\.\d{1,3}){3}/

/**
 * Addresses with the same group count as one client. A customer usually gets an IPv6 /64 network, so its first four groups count. Some proxies
 * add a port, and a dual-stack socket writes IPv4 as `::ffff:127.0.0.1`.
 */
export function addressGroup(address: string): string {
  const ipv4 = IPV4.exec(address)
  if (ipv4) return ipv4[0]
  const [before = '', after] = address.replace(/^\[|\].*$/g, '').split('::')
  const head = groupsOf(before)
  const tail = groupsOf(after ?? '')
  const zeros = after === undefined ? 0 : Math.max(0, GROUPS - head.length - tail.length)
  return [...head, ...Array<string>(zeros).fill('0'), ...tail].slice(0, NETWORK_GROUPS).join(':')
}

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':')
}
