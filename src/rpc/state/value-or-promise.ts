/** What follows on a value: at once where the value is there, so that what needs no waiting costs none. */
export function onceKnown<A, B>(value: A | Promise<A>, next: (value: A) => B | Promise<B>): B | Promise<B> {
  return value instanceof Promise ? value.then(next) : next(value)
}
