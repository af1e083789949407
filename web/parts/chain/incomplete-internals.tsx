// Below a list of internal transactions that may lack some.
export function IncompleteInternals({ isComplete, of }: { isComplete: boolean | undefined; of: string }) {
  if (isComplete !== false) return null
  return (
    <p class="note">
      Not all internal transactions of {of} are known: the node gave no trace of some transactions, or one that could
      not be read whole.
    </p>
  )
}
