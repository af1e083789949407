// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title A tip jar
/// @notice Takes tips for its owner. Jars are clones of one original, so the owner is set after the fact.
contract TipJar {
    event Tipped(address indexed from, uint256 value);
    event Emptied(address indexed owner, uint256 value);

    /// @notice The jar has an owner already.
    error AlreadyOwned(address owner);

    /// @notice Only the owner empties the jar.
    error NotOwner(address caller);

    address public owner;

    receive() external payable {
        emit Tipped(msg.sender, msg.value);
    }

    /// @notice Gives a new jar its owner, once.
    function initialize(address owner_) external {
        if (owner != address(0)) revert AlreadyOwned(owner);
        owner = owner_;
    }

    /// @notice Pays the tips to the owner.
    function empty() external {
        if (msg.sender != owner) revert NotOwner(msg.sender);
        uint256 value = address(this).balance;
        emit Emptied(owner, value);
        (bool sent,) = owner.call{value: value}("");
        require(sent, "owner refused the tips");
    }
}
