// What every page does in the browser. A page is whole without it; this makes it pleasant, and wakes the islands that a page
// asks for, each in a file of its own.
import { listenForCopies } from './copying.ts'
import { followForeignAnchor } from './foreign-anchors.ts'
import { mountIslands } from './mount-islands.ts'
import { followPreferences } from './preferences.ts'
import { focusSearchBySlash, offerRecentSearches } from './search-box.ts'

followForeignAnchor()
followPreferences()
listenForCopies()
focusSearchBySlash()
offerRecentSearches()
// After the first paint: the reader waits for the data, and they are there already.
requestAnimationFrame(() => setTimeout(() => mountIslands(document)))
