// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Implementation} from "./Implementation.sol";

/// @title A guestbook behind a proxy
/// @notice Guests leave a line. The keeper may upgrade the book (UUPS: the upgrade is part of the implementation).
contract Guestbook {
    event Signed(address indexed guest, uint256 indexed page, string line);

    /// @notice The book has a keeper already.
    error AlreadyInitialized();

    /// @notice Only the keeper may do this.
    error NotKeeper(address caller);

    address public keeper;
    uint256 public pages;
    mapping(address guest => uint256) public visits;

    /// @notice Gives a new book its keeper, once.
    function initialize(address keeper_) external {
        if (keeper != address(0)) revert AlreadyInitialized();
        keeper = keeper_;
    }

    /// @notice Leaves a line on a new page.
    function sign(string calldata line) public virtual returns (uint256 page) {
        page = ++pages;
        visits[msg.sender]++;
        emit Signed(msg.sender, page, line);
    }

    /// @notice Puts the book on another implementation, and may call it at once.
    function upgradeToAndCall(address implementation, bytes calldata call) external {
        if (msg.sender != keeper) revert NotKeeper(msg.sender);
        Implementation.write(implementation);
        if (call.length == 0) return;
        (bool success,) = implementation.delegatecall(call);
        require(success, "call after upgrade failed");
    }

    /// @notice Which edition of the book this is.
    function edition() external pure virtual returns (uint256) {
        return 1;
    }

    /// @notice ERC-1822: the slot in which the implementation is kept.
    function proxiableUUID() external pure returns (bytes32) {
        return Implementation.SLOT;
    }
}
