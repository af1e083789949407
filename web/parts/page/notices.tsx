// What readers of every page should know now, such as a node that does not answer. Pages that are kept up to date get it while they are open.
export function Notices({ notices }: { notices: readonly string[] }) {
  return (
    <div data-live-notices role="status">
      {notices.map((notice) => (
        <p key={notice} class="notice">
          {notice}
        </p>
      ))}
    </div>
  )
}
