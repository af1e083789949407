// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title The size of compressed bytes
/// @notice How long some bytes would be after FastLZ compression, which is what the L1 data fee is measured by.
library FastLz {
    /// @dev No match begins in the last bytes of the input.
    uint256 private constant TAIL = 13;
    uint256 private constant TABLE_SIZE = 8192;
    uint256 private constant FARTHEST = 0x1fff;

    /// @notice The length of `input` after compression (level 1).
    function compressedLength(bytes memory input) internal pure returns (uint256 length) {
        uint256 end = input.length < TAIL ? 0 : input.length - TAIL;
        uint256[] memory seenAt = new uint256[](TABLE_SIZE);
        uint256 literalsFrom = 0;
        uint256 at = 2;

        while (at < end) {
            uint256 three = _threeBytes(input, at);
            uint256 bucket = _bucket(three);
            uint256 earlier = seenAt[bucket];
            seenAt[bucket] = at;
            bool matches = at - earlier <= FARTHEST && three == _threeBytes(input, earlier);
            // The last position before the end is looked at, but never opens a match.
            if (!matches || at + 1 >= end) {
                at++;
                continue;
            }
            length += _literals(at - literalsFrom);
            uint256 matched = _common(input, earlier + 3, at + 3, end + 9);
            length += _match(matched);
            at += matched;
            seenAt[_bucket(_threeBytes(input, at))] = at;
            at++;
            seenAt[_bucket(_threeBytes(input, at))] = at;
            at++;
            literalsFrom = at;
        }
        length += _literals(input.length - literalsFrom);
    }

    /// @dev Literals come in runs of up to 32 bytes, each with a byte ahead.
    function _literals(uint256 count) private pure returns (uint256) {
        uint256 rest = count % 32;
        return 33 * (count / 32) + (rest == 0 ? 0 : rest + 1);
    }

    /// @dev A match of up to 262 bytes takes three bytes, a short one two.
    function _match(uint256 count) private pure returns (uint256) {
        uint256 rest = (count - 1) % 262;
        return 3 * ((count - 1) / 262) + (rest >= 6 ? 3 : 2);
    }

    /// @dev How many bytes from `a` and from `b` on are the same, with the first that differs.
    function _common(bytes memory input, uint256 a, uint256 b, uint256 end) private pure returns (uint256 count) {
        while (b + count < end) {
            if (input[a + count] != input[b + count]) return count + 1;
            count++;
        }
    }

    function _bucket(uint256 three) private pure returns (uint256) {
        return (2654435769 * three >> 19) & 0x1fff;
    }

    function _threeBytes(bytes memory input, uint256 at) private pure returns (uint256) {
        return uint256(uint8(input[at])) | uint256(uint8(input[at + 1])) << 8 | uint256(uint8(input[at + 2])) << 16;
    }
}
