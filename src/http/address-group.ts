/** One household has a whole /64 of IPv6: all its addresses count as one. */
export const addressGroup = (address: string): string =>
  address.includes('.') ? address.replace('::ffff:', '') : address.split(':').slice(0, 4).join(':')
