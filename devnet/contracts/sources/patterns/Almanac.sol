// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title The almanac
/// @notice Calendar arithmetic as a library of its own, deployed once and linked into those who use it.
library Almanac {
    /// @notice The date, in the Gregorian calendar, of a time in Unix seconds.
    /// @dev Counts days in cycles of 400 years from the first of March of the year 0, so that a leap day comes last.
    function dateOf(uint256 timestamp) external pure returns (uint256 year, uint256 month, uint256 day) {
        uint256 days_ = timestamp / 1 days + 719468;
        uint256 dayOfCycle = days_ % 146097;
        uint256 yearOfCycle = (dayOfCycle - dayOfCycle / 1460 + dayOfCycle / 36524 - dayOfCycle / 146096) / 365;
        uint256 dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100);
        uint256 monthFromMarch = (5 * dayOfYear + 2) / 153;

        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1;
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
        year = days_ / 146097 * 400 + yearOfCycle + (month <= 2 ? 1 : 0);
    }

    /// @notice The day of the week of a time in Unix seconds: 1 is Monday, 7 is Sunday.
    function weekdayOf(uint256 timestamp) external pure returns (uint256) {
        return (timestamp / 1 days + 3) % 7 + 1;
    }
}
