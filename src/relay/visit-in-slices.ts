/** Visits every member of a set, `slice` of them before other work gets its turn. Asked during a round, it makes one more. */
export function createRounds<T>(members: ReadonlySet<T>, visit: (member: T) => void, slice: number): () => void {
  let round: SetIterator<T> | undefined
  let isAskedAgain = false

  const visitSome = () => {
    for (let i = 0; i < slice; i++) {
      const { value, done } = round!.next()
      if (!done) visit(value)
      else if (!isAskedAgain) {
        round = undefined
        return
      } else {
        isAskedAgain = false
        round = members.values()
      }
    }
    setImmediate(visitSome)
  }

  return () => {
    if (round) isAskedAgain = true
    else {
      round = members.values()
      visitSome()
    }
  }
}
