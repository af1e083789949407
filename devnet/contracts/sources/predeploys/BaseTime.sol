// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title The time of a block in milliseconds
/// @notice Several blocks share the second of their headers. The second transaction of every block, a deposit from the
/// depositor account, says which part of the second the block belongs to.
contract BaseTime {
    /// @notice Only the depositor account writes here.
    error NotDepositor();

    /// @notice The account that the deposit comes from.
    address public constant DEPOSITOR_ACCOUNT = 0xDeaDDEaDDeAdDeAdDEAdDEaddeAddEAdDEAd0001;

    /// @notice Milliseconds after the second of the header.
    uint256 public milliseconds;

    function setMilliseconds(uint256 value) external {
        if (msg.sender != DEPOSITOR_ACCOUNT) revert NotDepositor();
        milliseconds = value;
    }

    /// @notice The time of this block in milliseconds.
    function timestampMs() external view returns (uint256) {
        return block.timestamp * 1000 + milliseconds;
    }
}
