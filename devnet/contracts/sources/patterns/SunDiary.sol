// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Almanac} from "./Almanac.sol";

/// @title A diary of sunrises
/// @notice Observers note that they saw the sun rise. The date comes from the almanac, a linked library.
contract SunDiary {
    event Sunrise(address indexed observer, uint256 year, uint256 month, uint256 day, uint256 weekday);

    /// @notice How many sunrises an observer has seen.
    mapping(address observer => uint256) public sunrises;

    /// @notice Notes a sunrise of today.
    function note() external {
        sunrises[msg.sender]++;
        (uint256 year, uint256 month, uint256 day) = Almanac.dateOf(block.timestamp);
        emit Sunrise(msg.sender, year, month, day, Almanac.weekdayOf(block.timestamp));
    }
}
