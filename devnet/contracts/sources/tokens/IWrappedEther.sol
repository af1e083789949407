// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "./IERC20.sol";

/// @title The native currency as a token
interface IWrappedEther is IERC20 {
    event Deposit(address indexed account, uint256 value);
    event Withdrawal(address indexed account, uint256 value);

    /// @notice Wraps the value sent along.
    function deposit() external payable;

    /// @notice Unwraps `value` and sends it to the caller.
    function withdraw(uint256 value) external;
}
