// The script of every page. Pages are complete without it; it adds comfort and mounts the islands of the page, each from a file of its own.
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
// After the first paint, so that the script does not delay the data that the HTML already has.
requestAnimationFrame(() => setTimeout(() => mountIslands(document)))
