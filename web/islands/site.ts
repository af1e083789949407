// What every page does in the browser. A page is whole without it; this makes it pleasant, and wakes the islands that a page
// asks for, each in a file of its own.
import { listenForCopies } from './copying.ts'
import { focusSearchBySlash } from './search-key.ts'
import { rememberSearches } from './settings-searches.ts'
import { wake } from './wake.ts'
import { followWishes } from './wishes.ts'

followWishes()
listenForCopies()
focusSearchBySlash()
rememberSearches()
wake(document)
