// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title A mayfly
/// @notice Lives until it is told to fly away, and leaves what it has to somebody.
/// @dev Since EIP-6780 only a contract that dies in the transaction of its birth truly disappears.
contract Mayfly {
    /// @notice Only its maker tells it to go.
    error NotMaker(address caller);

    address public immutable maker = msg.sender;

    constructor() payable {}

    /// @notice The end: everything goes to `heir`.
    function flyAway(address payable heir) external {
        if (msg.sender != maker) revert NotMaker(msg.sender);
        selfdestruct(heir);
    }
}
