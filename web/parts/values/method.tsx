import { useContext } from 'preact/hooks'
import { MethodNames } from '../page/names.tsx'
import { methodWord } from '../text/methods.ts'

/** The name of a method; a question mark says that it was guessed from the ABI of another contract. */
export function Method({ of }: { of: { methodId: string; to: string } }) {
  const { own, guessed } = useContext(MethodNames)
  const word = own.get(of.to + of.methodId) ?? methodWord(of)
  const guess = word === of.methodId ? guessed.get(of.methodId) : undefined
  if (guess === undefined) {
    return (
      <span class="method" title={of.methodId === '' ? 'No call data' : of.methodId}>
        {word}
      </span>
    )
  }
  return (
    <span class="method" title={`${of.methodId}, guessed from the ABI of another contract`}>
      {guess}
      <span class="guess" aria-hidden="true">
        ?
      </span>
      <span class="hidden"> (a guess)</span>
    </span>
  )
}
